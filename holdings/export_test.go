package holdings

import (
	"context"
	"time"
)

// SetPoints sets how long a turn of MakePoints is, and how it pauses.
func (h *Holdings) SetPoints(turn time.Duration, pause func(context.Context, time.Duration)) {
	h.pointsTurn, h.pointsPause = turn, pause
}
