package archivefs

import "os"

// temporary is a file that disappears when it is closed, or with the process.
type temporary struct{ *os.File }

func newTemporary() (*temporary, error) {
	f, err := os.CreateTemp("", "quire-tree-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // if the system allows an open file without a name; otherwise Close removes it
	return &temporary{f}, nil
}

// Close implements io.Closer.
func (t *temporary) Close() error {
	err := t.File.Close()
	_ = os.Remove(t.Name()) // usually removed already
	return err
}
