"""The URLs of evaluation's console pages that are not in a study's navigation."""

from django.urls import path

from . import assisted, systems

urlpatterns = [
    path("x/assisted/assisted.csv", assisted.assisted_file, name="assisted-file"),
    path("x/systems/compare/", systems.compare, name="compare-systems"),
    path("x/systems/publish/", systems.publish, name="publish-systems"),
    path("x/systems/withdraw/", systems.withdraw, name="withdraw-systems"),
    path("x/systems/<int:number>/", systems.system, name="system"),
    path("x/systems/<int:number>/file", systems.system_file, name="system-file"),
    path("x/systems/<int:number>/again/", systems.again, name="score-again"),
    path("x/systems/<int:number>/show/", systems.show, name="show-system"),
]
