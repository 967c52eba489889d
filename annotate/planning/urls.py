"""The URLs of the page Plan, below `<study>/`."""

from django.urls import path

from .pages import panel, plan

urlpatterns = [
    path("plan/", plan.plan, name="plan"),
    path("plan/estimate/", panel.estimate, name="estimate"),
    path("plan/calculate/", plan.calculate, name="calculate-plan"),
    path("plan/<int:number>/", plan.plan, name="stored-plan"),
    path("plan/<int:number>/use/", plan.use, name="use-plan"),
]
