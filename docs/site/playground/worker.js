// The worker of the playground: it compiles the program once and runs a command line at a time. The page can end it, however
// long a kernel runs. build.sh puts it behind wsim.js and command.js into one text, because file:// allows no worker file.
'use strict';
let compiled = null;
onmessage = async ({ data: { bytes, args, files } }) => {
  try {
    compiled ??= WebAssembly.compile(bytes);
    postMessage(await runProgram(await compiled, args, files));
  } catch (problem) {
    postMessage({ status: 4, out: '', err: `wsim stopped: ${problem.message}`, milliseconds: 0 });
  }
};
