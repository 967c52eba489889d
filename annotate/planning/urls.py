"""The URLs of the page Plan, below `<study>/`."""

from django.urls import path

from .pages import plan

urlpatterns = [
    path("plan/", plan.plan, name="plan"),
    path("plan/calculate/", plan.calculate, name="calculate-plan"),
    path("plan/<int:number>/", plan.plan, name="stored-plan"),
    path("plan/<int:number>/use/", plan.use, name="use-plan"),
]
