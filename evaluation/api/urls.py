"""The URLs of evaluation's API operations, below `/api/v1/studies/<study>/`."""

from django.urls import path

from . import assisted, leaderboard, splits, systems

urlpatterns = [
    path("assisted", assisted.AssistedView.as_view(), name="assisted"),
    path("systems", systems.SystemsView.as_view(), name="systems"),
    path("systems/comparison", systems.SystemComparisonView.as_view(), name="compare-systems"),
    path("systems/<int:number>", systems.SystemView.as_view(), name="system"),
    path("systems/<int:number>/file", systems.SystemFileView.as_view(), name="system-file"),
    path("systems/<int:number>/score", systems.ScoreView.as_view(), name="score-system"),
    path("leaderboard", leaderboard.LeaderboardView.as_view(), name="leaderboard"),
    path("split", splits.SplitView.as_view(), name="split"),
]
