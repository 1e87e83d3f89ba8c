package htmllink

// names finds values by short names in lower case. It is faster than a map: the scanner looks up
// each name in a document, and most attributes are not among the names.
type names[T any] struct {
	slots [nameSlots][]nameSlotted[T]
}

type nameSlotted[T any] struct {
	name  string
	value T
}

const nameSlots = 512

func newNames[T any](all map[string]T) *names[T] {
	n := &names[T]{}
	for name, value := range all {
		slot := &n.slots[nameSlot([]byte(name))]
		*slot = append(*slot, nameSlotted[T]{name, value})
	}
	return n
}

// find returns the value of a name, or nil.
func (n *names[T]) find(name []byte) *T {
	if len(name) == 0 {
		return nil
	}
	slot := n.slots[nameSlot(name)]
	for i := range slot {
		if slot[i].name == string(name) {
			return &slot[i].value
		}
	}
	return nil
}

// nameSlot is made of the length and three bytes: most names differ in them.
func nameSlot(name []byte) uint {
	n := uint(len(name))
	return (n*37 + uint(name[0])*7 + uint(name[n/2])*61 + uint(name[n-1])*151) % nameSlots
}
