package characterize

import "quire/model"

// MaxNames caps each list of names: a domain crawl has hundreds of thousands of hosts, and a
// description is to grow with the number of containers only. The most frequent names are kept; what
// is beyond is summed in one line.
const MaxNames = 1000

// otherNames is that line. The pass uses the same name for what it no longer told apart itself.
const otherNames = "(other)"

// capped keeps the first names, and sums what is beyond them.
func capped(list []model.Count) []model.Count {
	if len(list) <= MaxNames {
		return list
	}
	kept := make([]model.Count, 0, MaxNames+1)
	other := model.Count{Name: otherNames}
	for _, c := range list {
		if len(kept) < MaxNames && c.Name != otherNames {
			kept = append(kept, c)
			continue
		}
		other.Count += c.Count
		other.Bytes += c.Bytes
	}
	return append(kept, other)
}
