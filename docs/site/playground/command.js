// A command line of wsim and one run of the program, without the page: worker.js and the tests use it too.
'use strict';
const SECONDS = 10; // of a kernel, unless the command has a --timeout

// Words of a command line, as a shell reads them without expansions

const words = (line) => {
  const out = [];
  let word = null, quote = '';
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quote) {
      if (c === quote) quote = '';
      else if (c === '\\' && quote === '"' && '"\\$`'.includes(line[i + 1])) word += line[++i];
      else word += c;
    } else if (c === "'" || c === '"') {
      quote = c;
      word ??= '';
    } else if (c === '\\' && i + 1 < line.length) word = (word ?? '') + line[++i];
    else if (/\s/.test(c)) {
      if (word !== null) out.push(word);
      word = null;
    } else word = (word ?? '') + c;
  }
  if (quote) throw new Error(`the command ends inside ${quote}`);
  if (word !== null) out.push(word);
  return out;
};

const argumentsOf = (state) => {
  const args = words(state.c);
  const has = (name) => args.some((word) => word === name || word.startsWith(`${name}=`));
  if (state.o !== 'text' && !has('--format') && !has('--json')) {
    const at = args.indexOf('--');
    args.splice(at < 0 ? args.length : at, 0, '--format', state.o);
  }
  if (args[0] === 'run' && !has('--timeout'))
    args.splice(1, 0, '--timeout', String(SECONDS));
  return args;
};

// runProgram(module, arguments, files) -> { status, out, err, milliseconds }. Each run has a memory of its own.
const runProgram = async (compiled, args, files) => {
  const out = [], err = [];
  let status = 0;
  const began = performance.now();
  const options = {
    noInitialRun: true,
    stdin: () => null,
    print: (line) => out.push(line),
    printErr: (line) => err.push(line),
    quit: (code) => { status = code; },
    onExit: (code) => { status = code; },
    preRun: [(program) => Object.assign(program.ENV, { COLUMNS: '100', HOME: '/' })],
  };
  options.instantiateWasm = (imports, receive) => {
    WebAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
    return {};
  };
  const program = await wsimModule(options);
  try {
    program.FS.mkdir('/work');
    program.FS.chdir('/work');
    for (const [name, text] of files) {
      const written = name.replaceAll('/', '_');
      if (!written || written === '.' || written === '..' || program.FS.analyzePath(written).exists)
        return { status: 2, out: '', err: `'${name}' is no name for a file, or two files have it`, milliseconds: 0 };
      program.FS.writeFile(written, text);
    }
    const code = program.callMain(args);
    if (code) status = code;
  } catch (problem) {
    if (problem.name !== 'ExitStatus') {
      status = 4;
      err.push(`wsim stopped: ${problem.message}`);
    } else status = problem.status;
  }
  return { status, out: out.join('\n'), err: err.join('\n'), milliseconds: performance.now() - began };
};

if (typeof module !== 'undefined') module.exports = { words, argumentsOf, runProgram };
