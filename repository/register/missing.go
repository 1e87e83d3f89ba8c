package register

import "context"

// Missing returns those of the leaves that the register does not have from an index on. A caller that
// repeats an append after a kill begins at the size of the register before the first attempt. Memory
// grows with the given leaves only, wherever the caller begins.
func (w *Writer) Missing(ctx context.Context, from int64, leaves [][]byte) ([]Leaf, error) {
	there := make(map[string]bool, len(leaves)) // whether the register has the leaf
	for _, raw := range leaves {
		there[string(raw)] = false
	}
	if from = max(from, 0); from < w.head.Size {
		for e, err := range w.main.entries(ctx, w.head.tree(), from) {
			if err != nil {
				return nil, damaged(w.main, err)
			}
			if _, wanted := there[string(e.Raw)]; wanted {
				there[string(e.Raw)] = true
			}
		}
	}
	var missing []Leaf
	for _, raw := range leaves {
		if there[string(raw)] {
			continue
		}
		leaf, err := Parse(raw)
		if err != nil {
			return nil, err
		}
		missing = append(missing, leaf)
	}
	return missing, nil
}
