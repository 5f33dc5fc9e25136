"""The client of a Hop link shortener, made from its OpenAPI document.

It needs Python 3.11 and nothing else.

    from hop import Hop, HopError

    hop = Hop("https://hop.example", "hop_live_...")
    link = hop.create_link({"url": "https://example.com/"})
    print(link["shortUrl"])
    for link in pages(hop.list_links, tag="sale"):
        print(link["code"], link["clicks"])
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Iterator, Literal, NotRequired, Optional, TypedDict, Union, cast

# Types: one for each object in the document.

_ATTEMPTS = 4
_WAIT_MAX_SECONDS = 61


class HopError(Exception):
    """The server rejected a request. Programs read `code`; `problem` is the whole answer."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or f"The server answered with status {status}.")
        self.status = status
        self.code: Optional[str] = problem.get("code")
        self.problem = problem


def pages(list_method: Callable[..., Any], **filters: Any) -> Iterator[Any]:
    """Yields the items of all pages, for example of `hop.list_links`."""
    while True:
        page = list_method(**filters)
        yield from page["data"]
        if page.get("nextCursor") is None:
            return
        filters["cursor"] = page["nextCursor"]


def _quote(part: str) -> str:
    return urllib.parse.quote(part, safe="")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _problem(error: urllib.error.HTTPError) -> dict[str, Any]:
    try:
        content = json.loads(error.read())
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


class Hop:
    """The API at `origin`, with an API key. It waits when the server asks to, a minute at most."""

    def __init__(self, origin: str, key: str, timeout: float = 30) -> None:
        self._base = origin.rstrip("/") + "/api/v1"
        self._key = key
        self._timeout = timeout

    def _send(
        self,
        method: str,
        path: str,
        query: dict[str, Any],
        given: dict[str, Any],
        body: Any,
    ) -> bytes:
        headers = {name: str(value) for name, value in given.items() if value is not None}
        headers["Authorization"] = f"Bearer {self._key}"
        # With the same key, a repeated request creates nothing twice.
        if "Idempotency-Key" in given:
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        if body is not None:
            headers["Content-Type"] = "application/json"
        text = urllib.parse.urlencode(
            {name: _text(value) for name, value in query.items() if value is not None}
        )
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._base + path + (f"?{text}" if text else ""), data, headers, method=method
        )
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as response:
                    return cast(bytes, response.read())
            except urllib.error.HTTPError as error:
                wait = error.headers.get("Retry-After", "")
                can_wait = wait.isdigit() and int(wait) <= _WAIT_MAX_SECONDS
                if error.code not in (429, 503) or not can_wait or attempt == _ATTEMPTS:
                    raise HopError(error.code, _problem(error)) from None
                time.sleep(int(wait))
        raise AssertionError("unreachable")

    # Methods: one for each operation in the document.
