"""Code shared by all pages and operations: access and navigation, charts, forms, authentication, errors and limits."""
