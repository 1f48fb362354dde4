// same.js PROGRAM PAGE - the examples of the playground, run by PROGRAM and by its WebAssembly: equal output, messages and
// exit status. A kernel's time limit and the folder of the files are those of the page.
'use strict';
const fs = require('fs'), os = require('os'), path = require('path'), vm = require('vm'), zlib = require('zlib');
const { spawnSync } = require('child_process');
const [program, page] = [path.resolve(process.argv[2]), process.argv[3]];

const read = (name) => fs.readFileSync(path.join(page, name), 'utf8');
const value = (name, what) => vm.runInNewContext(`${read(name)}\n${what}`);
globalThis.wsimModule = require(path.resolve(page, 'wsim.js'));
const { argumentsOf, runProgram } = require(path.resolve(page, 'command.js'));
const { EXAMPLES, FILES } = vm.runInNewContext(`${read('files.js')}\n${read('examples.js')}\n({ EXAMPLES, FILES })`);
const bytes = zlib.gunzipSync(Buffer.from(value('wasm.js', 'WSIM_WASM'), 'base64url'));

(async () => {
  const compiled = await WebAssembly.compile(bytes);
  let failed = 0;
  for (const example of EXAMPLES)
    for (const format of ['text', 'html', 'json']) {
      const files = (example.files ?? []).map((name) => [name, FILES[name]]);
      const args = argumentsOf({ c: example.command, f: files, o: format });
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
      for (const [name, text] of files) fs.writeFileSync(path.join(folder, name), text);
      const own = spawnSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      fs.rmSync(folder, { recursive: true });
      const here = await runProgram(compiled, args, files);
      const words = (text) => text.replace(/\n$/, '');
      const same = own.status === here.status && words(own.stdout) === words(here.out) && words(own.stderr) === words(here.err);
      if (!same) {
        failed = 1;
        console.log(`differs: wsim ${args.join(' ')}\n  status ${own.status} and ${here.status}`);
        for (const [a, b] of [[own.stdout, here.out], [own.stderr, here.err]]) {
          const left = words(a).split('\n'), right = words(b).split('\n');
          const at = left.findIndex((line, i) => line !== right[i]);
          if (at >= 0 || left.length !== right.length) console.log(`  ${left[at]}\n  ${right[at]}`);
        }
      } else console.log(`same, ${Math.round(here.milliseconds)} ms: wsim ${args.join(' ')}`);
    }
  process.exit(failed);
})();
