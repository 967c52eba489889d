"""The URLs of the API operations for plans, below `/api/v1/studies/<study>/`."""

from django.urls import path

from .api import plans, reality

urlpatterns = [
    path("plans", plans.PlansView.as_view(), name="plans"),
    path("plans/comparison", reality.PlanComparisonView.as_view(), name="plan-comparison"),
    path("plans/<int:number>", plans.PlanView.as_view(), name="plan"),
    path("plans/<int:number>/use", plans.UsePlanView.as_view(), name="use-plan"),
]
