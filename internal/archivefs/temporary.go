package archivefs

import "os"

// temporary is a file that goes away when it is closed, and with the process.
type temporary struct{ *os.File }

func newTemporary() (*temporary, error) {
	f, err := os.CreateTemp("", "quire-tree-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // where the system lets an open file go on without a name; elsewhere Close does it
	return &temporary{f}, nil
}

// Close implements io.Closer.
func (t *temporary) Close() error {
	err := t.File.Close()
	_ = os.Remove(t.Name()) // gone already, mostly
	return err
}
