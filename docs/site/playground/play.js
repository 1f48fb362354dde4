// The playground: a command line of wsim, its files, and the answer of the program itself, compiled to WebAssembly.
// State is { c: command, f: [[name, text], ...], o: format }. The fragment of the address holds it: "#c=..." while
// there are no files, else "#z=" and the compressed JSON.
'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const STATUS = { 0: 'fine', 1: 'a difference or finding', 2: 'wrong usage or input', 3: 'not modelled' };
  const FORMATS = ['html', 'text', 'json'];

  // --- the program, in a worker

  const PATIENCE = 60; // seconds of an answer
  const LARGEST = 16 << 20; // bytes of a state, unpacked
  const MOST = 100; // files
  let worker = null;
  let bytes = null; // of the program. WSIM_WASM is its gzipped base64, because file:// allows no fetch.
  let stop = () => {};

  const program = async (args, files) => {
    const began = performance.now();
    bytes ??= await through(unbase64(WSIM_WASM), new DecompressionStream('gzip'));
    return new Promise((receive) => {
      const end = (result) => {
        clearTimeout(clock);
        stop = () => {};
        receive(result);
      };
      const kill = (words) => {
        worker.terminate();
        worker = null;
        end({ status: 4, out: '', err: `wsim stopped: ${words}`, milliseconds: performance.now() - began });
      };
      const clock = setTimeout(() => kill(`no answer in ${PATIENCE} seconds`), PATIENCE * 1000);
      stop = () => kill('you stopped it');
      const isNew = !worker;
      worker ??= new Worker(URL.createObjectURL(new Blob([WSIM_WORKER], { type: 'text/javascript' })));
      worker.onmessage = (message) => end(message.data);
      worker.onerror = (problem) => kill(problem.message);
      worker.postMessage({ bytes: isNew ? bytes : null, args, files });
    });
  };

  // --- the state and the address

  const base64 = (bytes) =>
    btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const unbase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  // A short address can unpack to more than the memory: the reader stops there.
  const through = async (bytes, stream, most = Infinity) => {
    const parts = [];
    let size = 0;
    for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      parts.push(value);
      size += value.length;
      if (size > most) throw new Error(`it unpacks to more than ${most} bytes`);
    }
  };

  const addressOf = async (state) => {
    if (!state.f.length)
      return `#c=${encodeURIComponent(state.c)}${state.o === 'html' ? '' : `&o=${state.o}`}`;
    const bytes = new TextEncoder().encode(JSON.stringify(state));
    return `#z=${base64(await through(bytes, new CompressionStream('deflate-raw')))}`;
  };

  const stateOf = async (fragment) => {
    const fields = new URLSearchParams(fragment.slice(1));
    if (fields.has('c'))
      return { c: fields.get('c'), f: [], o: FORMATS.includes(fields.get('o')) ? fields.get('o') : 'html' };
    if (!fields.has('z')) return null;
    const bytes = await through(unbase64(fields.get('z')), new DecompressionStream('deflate-raw'), LARGEST);
    const state = JSON.parse(new TextDecoder().decode(bytes));
    if (state.f.length > MOST) throw new Error(`it has more than ${MOST} files`);
    return {
      c: String(state.c), o: FORMATS.includes(state.o) ? state.o : 'html',
      f: state.f.map(([name, text]) => [String(name), String(text)]),
    };
  };

  // --- the form

  const fileField = (name, text) => {
    const box = document.createElement('div');
    const row = document.createElement('p');
    const title = document.createElement('input');
    const gone = document.createElement('button');
    const body = document.createElement('textarea');
    box.className = 'file';
    row.className = 'row';
    title.value = name;
    title.setAttribute('aria-label', 'Name of the file');
    gone.type = 'button';
    gone.textContent = 'Remove';
    gone.addEventListener('click', () => box.remove());
    body.value = text;
    body.spellcheck = false;
    body.setAttribute('aria-label', `Text of ${name}`);
    row.append(title, gone);
    box.append(row, body);
    return box;
  };

  const put = (state) => {
    $('command').value = state.c;
    $('format').value = state.o;
    $('files').replaceChildren(...state.f.map(([name, text]) => fileField(name, text)));
  };

  const get = () => ({
    c: $('command').value.trim().replace(/^wsim\s+/, ''),
    f: Array.from($('files').children, (box) => [box.querySelector('input').value, box.querySelector('textarea').value]),
    o: $('format').value,
  });

  // A picture is a page without scripts that fetches nothing, whatever names and texts of a kernel it shows.
  const POLICY = '<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; img-src data:">';

  const show = async (answer, isPicture = false) => {
    const html = isPicture && answer.out.trimStart().startsWith('<');
    const seconds = answer.milliseconds < 1000 ? `${Math.round(answer.milliseconds)} ms` : `${(answer.milliseconds / 1000).toFixed(1)} s`;
    $('messages').hidden = !answer.err;
    $('messages').textContent = answer.err;
    $('picture').hidden = !html;
    $('text').hidden = html || !answer.out;
    $('text').textContent = html ? '' : answer.out;
    if (html)
      await new Promise((loaded) => {
        $('picture').addEventListener('load', loaded, { once: true });
        $('picture').srcdoc = POLICY + answer.out.replace(/^\s*<!doctype html>/i, '');
      });
    $('status').textContent = `Exit status ${answer.status}: ${STATUS[answer.status] ?? 'stopped'}. ${seconds}.`;
  };

  let running = Promise.resolve();
  const answer = (state) => {
    running = running.then(async () => {
      let args;
      $('status').textContent = 'Running…';
      try {
        args = argumentsOf(state);
      } catch (problem) {
        await show({ status: 2, out: '', err: problem.message, milliseconds: 0 });
        return;
      }
      const isPicture = args.some((word, i) => /^(--format=)?(html|svg)$/.test(word) && (word.includes('=') || args[i - 1] === '--format'));
      $('stop').hidden = false;
      let result = await program(args, state.f);
      // Commands without pictures refuse --format html: their text is the answer.
      if (result.status === 2 && state.o === 'html' && /--format|format html/.test(result.err)) {
        const plain = args.filter((word, i) => word !== '--format' && args[i - 1] !== '--format');
        result = await program(plain, state.f);
        await show(result);
      } else
        await show(result, isPicture);
    }).catch((problem) => show({ status: 4, out: '', err: `The page stopped: ${problem.message}`, milliseconds: 0 }))
      .finally(() => { $('stop').hidden = true; });
    return running;
  };

  // Puts the state into the address. Browsers limit its length, and how often it changes.
  const keep = async (state) => {
    try {
      history.replaceState(null, '', await addressOf(state));
      return true;
    } catch {
      return false;
    }
  };

  const submit = async () => {
    const state = get();
    stop();
    await keep(state);
    await answer(state);
  };

  // The state of the address; null if there is none, or none that can be read.
  const read = async () => {
    try {
      return await stateOf(location.hash);
    } catch (problem) {
      $('about').textContent = `The address of this page holds no question that can be read: ${problem.message}`;
      return null;
    }
  };

  const choose = (index) => {
    const example = EXAMPLES[index];
    $('about').textContent = example.about;
    put({ c: example.command, f: (example.files ?? []).map((name) => [name, FILES[name]]), o: example.format ?? 'html' });
  };

  const begin = async () => {
    const groups = new Map();
    EXAMPLES.forEach((example, index) => {
      if (!groups.has(example.group)) {
        const group = document.createElement('optgroup');
        group.label = example.group;
        groups.set(example.group, group);
        $('example').append(group);
      }
      const option = document.createElement('option');
      option.value = index;
      option.textContent = example.title;
      groups.get(example.group).append(option);
    });
    $('example').addEventListener('change', (event) => { choose(Number(event.target.value)); submit(); });
    $('question').addEventListener('submit', (event) => { event.preventDefault(); submit(); });
    $('add').addEventListener('click', () => $('files').append(fileField('kernel.ptx', '')));
    $('share').addEventListener('click', async () => {
      const kept = await keep(get());
      if (kept) await navigator.clipboard?.writeText(location.href).catch(() => {});
      $('status').textContent = kept ? 'The address of this page holds the command and the files.' : 'The files are too long for an address.';
    });
    $('stop').addEventListener('click', () => stop());
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        submit();
      }
    });
    window.addEventListener('hashchange', async () => {
      const state = await read();
      if (state) { stop(); put(state); answer(state); }
    });
    const state = await read();
    if (state) {
      put(state);
      $('example').selectedIndex = -1;
      $('about').textContent = '';
      await answer(state);
    } else {
      const problem = $('about').textContent;
      choose(0);
      if (problem) $('about').textContent = problem;
      await answer(get());
    }
  };
  begin();
})();
