package holdings

import "context"

// Unstated returns the packages without a rights statement, by id, and the number of packages.
// Options.Unstated decides access to them, so a curator who forgot the statements sees an empty
// archive. It returns none if the rules file has rules, because these may cover any package.
func (h *Holdings) Unstated(ctx context.Context) (ids []string, of int, err error) {
	if err := h.current(ctx); err != nil {
		return nil, 0, err
	}
	j := h.judging()
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, id := range h.order {
		p := h.packages[id]
		if p == nil || p.own == nil || p.isCollection {
			continue
		}
		of++
		if j.Rules.Empty() && !p.zones.Parts() && !p.zones.On("", 0, j.Today()).Known {
			ids = append(ids, id)
		}
	}
	return ids, of, nil
}
