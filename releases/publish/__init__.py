"""Publishing of releases on Zenodo, the Hugging Face Hub and the Open Science Framework, through their public APIs."""
