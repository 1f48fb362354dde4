"""page.py SITE CHROMIUM - opens the playground, runs its kernel with a missing barrier, and prints the answer; see ways.sh."""
import sys

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[2], args=["--no-sandbox", "--disable-dev-shm-usage"])
    page = browser.new_page()
    page.goto(f"file://{sys.argv[1]}/playground/index.html")
    page.select_option("#example", str(page.evaluate("EXAMPLES.findIndex(one => one.files?.includes('reverse.ptx'))")))
    page.wait_for_function("document.querySelector('#status').textContent.startsWith('Exit')")
    print(page.inner_text("#answer"))
    browser.close()
