// Excerpts of search results need a server, because a browser does not let a local file read another one.
DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = location.protocol !== "file:";
