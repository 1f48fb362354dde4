"""pages.py PAGE CHROMIUM - the playground in Chromium at widths of 400, 800 and 1400 pixels. Every example answers. The
page is not wider than its window, the console stays empty, and nothing is fetched. An address brings back the state."""
import sys

from playwright.sync_api import sync_playwright

page_url = f"file://{sys.argv[1]}/index.html"
problems = []


def answered(page):
    page.wait_for_function("document.querySelector('#status').textContent.startsWith('Exit')", timeout=120000)
    return page.inner_text("#status").split(".")[0]


def watch(page, where):
    page.on("console", lambda message: problems.append(f"{where}: console: {message.text}"))
    page.on("pageerror", lambda error: problems.append(f"{where}: {error}"))
    page.on("request", lambda request: request.url.startswith(("file:", "data:", "about:")) or problems.append(f"{where}: asks for {request.url}"))


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[2], args=["--no-sandbox"])
    for width in (400, 800, 1400):
        page = browser.new_page(viewport={"width": width, "height": 900})
        watch(page, f"width {width}")
        page.goto(page_url)
        answered(page)
        for index in range(page.evaluate("EXAMPLES.length")):
            page.evaluate("document.querySelector('#status').textContent = ''")
            page.select_option("#example", str(index))
            said = answered(page)
            if not said.startswith(("Exit status 0", "Exit status 1")):
                problems.append(f"width {width}, example {index}: {said}")
            if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                problems.append(f"width {width}, example {index}: the page is wider than its window")
        # The last example has a file. Its address brings back command, file and answer in another page.
        other = browser.new_page(viewport={"width": width, "height": 900})
        watch(other, f"address at width {width}")
        other.goto(page.url)
        answered(other)
        for what in ("#command", "#files textarea"):
            if page.input_value(what) != other.input_value(what):
                problems.append(f"the address loses {what}")
        if page.inner_text("#text") != other.inner_text("#text"):
            problems.append("the address brings another answer")
        # By keyboard.
        other.fill("#command", "layout m16n8k16.f32.f16 --lane 5")
        other.evaluate("document.querySelector('#status').textContent = ''")
        other.select_option("#format", "text")
        other.press("#command", "Control+Enter")
        answered(other)
        if "lane  5" not in other.inner_text("#text"):
            problems.append("Control+Enter does not run the command")
        page.close()
        other.close()
    browser.close()
print("\n".join(problems) or "3 widths: every example answers")
sys.exit(bool(problems))
