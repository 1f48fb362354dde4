"""firefox.py PAGE FIREFOX - the playground in Firefox at widths of 450, 800 and 1400 pixels (no window of Firefox is narrower).
Every example answers, the page is not wider than its window, and no error is thrown. An address brings back the state."""
import sys
import time

from marionette_driver.marionette import Marionette

page_url = f"file://{sys.argv[1]}/index.html"
problems = []
browser = Marionette(bin=sys.argv[2], headless=True, gecko_log="-")
browser.start_session()


def run(script, *arguments):
    return browser.execute_script(script, script_args=arguments, sandbox=None)


def examples():
    return run("return [...document.querySelector('#example').options].filter(o => /^\\d+$/.test(o.value)).length")


def answered():
    for _ in range(600):
        said = run("return document.querySelector('#status').textContent")
        if said.startswith("Exit"):
            return said.split(".")[0]
        time.sleep(0.2)
    raise SystemExit("no answer in two minutes")


def watch():
    run("window.wrongs = []; window.addEventListener('error', e => wrongs.push(String(e.message)));"
        "window.addEventListener('unhandledrejection', e => wrongs.push(String(e.reason)))")


for width in (450, 800, 1400):
    browser.set_window_rect(width=width, height=900)
    browser.navigate(page_url)
    watch()
    answered()
    if examples() < 10:
        problems.append(f"the page has {examples()} examples")
    for index in range(examples()):
        run("document.querySelector('#status').textContent = '';"
            "const list = document.querySelector('#example'); list.value = String(arguments[0]);"
            "list.dispatchEvent(new Event('change', {bubbles: true}))", index)
        said = answered()
        if not said.startswith(("Exit status 0", "Exit status 1")):
            problems.append(f"width {width}, example {index}: {said}")
        if run("return document.documentElement.scrollWidth > window.innerWidth"):
            problems.append(f"width {width}, example {index}: the page is wider than its window")
    state = "return [document.querySelector('#command').value, document.querySelector('#text').textContent]"
    before, address, wrongs = run(state), browser.get_url(), run("return wrongs")
    problems += [f"width {width}: {wrong}" for wrong in wrongs]
    browser.navigate("about:blank")
    browser.navigate(address)
    answered()
    if run(state) != before:
        problems.append(f"width {width}: the address brings back another state")
browser.quit()
del browser
print("\n".join(problems) or "Firefox, 3 widths: every example answers")
sys.exit(bool(problems))
