package holdings

import (
	"context"

	"quire/repository/store"
)

// Turn is the exclusive right to work on something that several programs share ([store.Turn]).
type Turn = store.Turn

// Turn takes a turn, as [store.Store.Turn] does.
func (h *Holdings) Turn(ctx context.Context, name, doing string) (*Turn, error) {
	return h.store.Turn(ctx, name, doing)
}
