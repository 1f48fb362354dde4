// The playground: a command line of wsim, its files, and the answer of the program itself, compiled to WebAssembly.
// State is { c: command, f: [[name, text], ...], o: format }. The fragment of the address holds it: "#c=..." while
// there are no files, else "#z=" and the compressed JSON.
'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const STATUS = { 0: 'fine', 1: 'a difference or finding', 2: 'wrong usage or input', 3: 'not modelled' };
  const FORMATS = ['html', 'text', 'json'];

  // --- the program

  let compiled = null; // WebAssembly.Module. WSIM_WASM is its gzipped base64, because file:// allows no fetch.

  const compile = async () => {
    compiled ??= await WebAssembly.compile(await through(unbase64(WSIM_WASM), new DecompressionStream('gzip')));
  };

  // --- the state and the address

  const base64 = (bytes) =>
    btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const unbase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

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
    const bytes = await through(unbase64(fields.get('z')), new DecompressionStream('deflate-raw'));
    const state = JSON.parse(new TextDecoder().decode(bytes));
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

  const show = async (answer) => {
    const html = answer.out.trimStart().startsWith('<');
    const seconds = answer.milliseconds < 1000 ? `${Math.round(answer.milliseconds)} ms` : `${(answer.milliseconds / 1000).toFixed(1)} s`;
    $('messages').hidden = !answer.err;
    $('messages').textContent = answer.err;
    $('picture').hidden = !html;
    $('text').hidden = html || !answer.out;
    $('text').textContent = html ? '' : answer.out;
    if (html)
      await new Promise((loaded) => {
        $('picture').addEventListener('load', loaded, { once: true });
        $('picture').srcdoc = answer.out;
      });
    $('status').textContent = `Exit status ${answer.status}: ${STATUS[answer.status] ?? 'stopped'}. ${seconds}.`;
    $('status').dataset.status = answer.status;
    document.body.dataset.wide = document.documentElement.scrollWidth > window.innerWidth ? 1 : 0;
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
      await compile();
      let result = await runProgram(compiled, args, state.f);
      // Commands without pictures refuse --format html: their text is the answer.
      if (result.status === 2 && state.o === 'html' && /--format|format html/.test(result.err)) {
        const plain = args.filter((word, i) => word !== '--format' && args[i - 1] !== '--format');
        result = await runProgram(compiled, plain, state.f);
      }
      await show(result);
    });
    return running;
  };

  const submit = async () => {
    const state = get();
    history.replaceState(null, '', await addressOf(state));
    await answer(state);
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
      history.replaceState(null, '', await addressOf(get()));
      await navigator.clipboard?.writeText(location.href).catch(() => {});
      $('status').textContent = 'The address of this page holds the command and the files.';
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        submit();
      }
    });
    window.addEventListener('hashchange', async () => {
      const state = await stateOf(location.hash).catch(() => null);
      if (state) { put(state); answer(state); }
    });
    const state = await stateOf(location.hash).catch(() => null);
    if (state) {
      put(state);
      $('example').selectedIndex = -1;
      $('about').textContent = '';
      await answer(state);
    } else {
      choose(0);
      await answer(get());
    }
  };
  begin();
})();
