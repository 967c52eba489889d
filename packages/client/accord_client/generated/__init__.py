"""The types and operations of the API, which `script/client` writes from the OpenAPI schema."""
