// A page that is a file starts no worker. The search of the site then runs in a hidden frame, which looks like a worker to it.
if (location.protocol === 'file:')
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }));
      this.loaded = new Promise((loaded) => {
        const script = frame.contentDocument.createElement('script');
        script.onload = loaded;
        script.src = url;
        frame.contentDocument.body.append(script);
      });
    }

    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent('message', { data })));
    }
  };
