package sqlite

// Writer is the process that holds the write lock of a database.
type Writer struct {
	PID  int
	Name string // of the program; "" if unknown
}
