"""The toolkit for API operations that task types add to studies. `TaskType.api_urls` names the module that contains the
operations' URLs.

The toolkit is a separate module because importing it takes half a second, which most commands do not need.
"""

from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of

__all__ = ["ERRORS", "PAGING", "ConditionalView", "ResearchView", "pages_of"]
