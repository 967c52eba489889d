"""Stand-ins for the hosts of batches: each places a filled template inside a form of its own, and stores what the form
posts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs

from accord_core.exchange.mturk import fill
from annotate.models import Study
from annotate.mturk.batch import batch_rows, template
from annotate.questions.selectors.data import study_data
from tests.local_site import Handler, local_site

MTURK = """<html><head><script>
function turkSetAssignmentID() {
  assignmentId.value = new URLSearchParams(location.search).get("assignmentId");
}
</script></head><body>
<form name="mturk_form" method="post" id="mturk_form" action="/mturk/externalSubmit">
<input type="hidden" value="" name="assignmentId" id="assignmentId">
PAGE
<p><input type="submit" id="submitButton" value="Submit"></p>
</form><script>turkSetAssignmentID();</script></body></html>"""

TURKLE = """<!DOCTYPE html><html><head><title>Task</title></head><body>
<form name="mturk_form" method="post" id="mturk_form" target="_parent" action="/task/7/assignment/1/">
<input type="hidden" name="csrfmiddlewaretoken" value="t0ken">
PAGE
</form></body></html>"""

OUTER = """<!DOCTYPE html><html lang="en"><title>Turkle</title><body style="margin: 0">
<iframe style="border: 0; width: 100%; height: 100vh"
  src="/turkle-inner.html?assignmentId=1&hitId=7&workerId=2&urlSubmitTo=%2Ftask%2F7%2Fassignment%2F1%2F"></iframe>"""

# The element posts each field with a name, and adds a button of its own.
CROWD = """<!DOCTYPE html><html lang="en"><title>Crowd</title><script>
customElements.define("crowd-form", class extends HTMLElement {
  connectedCallback() {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Submit" });
    button.onclick = () => this.dispatchEvent(new Event("submit", { cancelable: true })) && this.submit();
    this.after(button);
  }
  submit() {
    const form = Object.assign(document.createElement("form"), { method: "post", action: "/crowd" });
    for (const { name, value, type, checked } of this.querySelectorAll("input, select, textarea"))
      if (type !== "radio" || checked) form.append(Object.assign(document.createElement("input"), { name, value }));
    document.body.append(form);
    form.submit();
  }
});
</script><body><crowd-form>PAGE</crowd-form></body></html>"""

WRAPPERS = {"file": "PAGE", "mturk": MTURK, "turkle-inner": TURKLE, "crowd": CROWD}


@dataclass
class Host:
    """A folder of pages, and the paths and fields that were posted."""

    folder: Path
    address: str = ""
    posts: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def publish(self, study: Study, hit: int = 1) -> dict[str, str]:
        """Write the page of a HIT in each wrapper, and return its row."""
        data = study_data(study)
        row = list(batch_rows(data))[hit - 1]
        page = fill(template(data), row)
        for name, wrapper in WRAPPERS.items():
            (self.folder / f"{name}.html").write_text(wrapper.replace("PAGE", page), encoding="utf-8")
        (self.folder / "turkle.html").write_text(OUTER, encoding="utf-8")
        return row

    def url(self, name: str, **query: str) -> str:
        """Return the address of a page, with these data about the assignment."""
        return f"{self.address}/{name}.html?" + "&".join(f"{key}={value}" for key, value in query.items())


@contextmanager
def host_in(folder: Path) -> Iterator[Host]:
    """Serve the pages of a host until the block ends."""
    host = Host(folder)

    class Site(Handler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = {name: "|".join(values) for name, values in parse_qs(body, keep_blank_values=True).items()}
            host.posts.append((self.path, fields))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Taken</title><p>Taken")

        def do_GET(self) -> None:
            if self.path == "/favicon.ico":
                self.send_response(204)
                self.end_headers()
            else:
                super().do_GET()

    with local_site(partial(Site, directory=str(folder))) as host.address:
        yield host
