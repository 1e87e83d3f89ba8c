package holdings

import "context"

// Unstated gives the packages of which nobody says who may see them, by id, and how many packages there are. What a reader gets of them is
// what the house does then (Options.Unstated), so that a curator who forgot to say anything sees an archive in which nothing is found.
// There are none where a file of rules says something: it may be about any of them.
func (h *Holdings) Unstated(ctx context.Context) (ids []string, of int, err error) {
	if err := h.current(ctx); err != nil {
		return nil, 0, err
	}
	j := h.judging()
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, id := range h.order {
		p := h.packages[id]
		if p == nil || p.facts == nil || p.isCollection() {
			continue
		}
		of++
		if j.Rules.Empty() && !p.zones.Parts() && !p.zones.On("", 0, j.Today()).Known {
			ids = append(ids, id)
		}
	}
	return ids, of, nil
}
