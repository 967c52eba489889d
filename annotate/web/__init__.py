"""What all pages and operations share: access and navigation, charts, forms, authentication, errors and limits."""
