"""URLs of the Turkle site for tests."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("turkle.api.urls")),
    path("accounts/", include("django.contrib.auth.urls")),
    path("", include("turkle.urls")),
]
