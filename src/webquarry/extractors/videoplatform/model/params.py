"""Parameters that name a video."""

from collections.abc import Mapping

from webquarry.endpoints.declare import Params, exactly_one, param
from webquarry.extractors.videoplatform.model.ids import VideoId, VideoUrl


class VideoParams(Params):
    one_of = exactly_one("id", "url")

    id: VideoId | None = param("Video ID, 11 characters.", default=None, example="HarbourVid1")
    url: VideoUrl | None = param(
        "URL of the video: watch page, youtu.be, short, live stream, embed, music or mobile.",
        default=None,
        example="https://youtu.be/HarbourVid1",
    )

    @property
    def video_id(self) -> str:
        """Return the id of the video, from either parameter."""
        if self.url is not None:
            return self.url.video_id
        if self.id is None:
            raise ValueError("either id or url is required")
        return str(self.id)


def video_identity(params: VideoParams) -> Mapping[str, str]:
    """Return the identity of the video, which is the same whether the caller gives its id or its address."""
    return {"id": params.video_id}
