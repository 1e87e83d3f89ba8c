// Package jobs is the queue of a repository: commands that wait until a worker runs them, on any machine.
//
// River keeps the queue, in the database of the catalogue. A submission is a file of the repository first, so
// that no job is lost with the catalogue. A worker runs a command as a process of its own, and holds a lease.
// When a lease ends, the jobs of its worker go on as new jobs, and the old process can write no more.
// [Queue.Watch] submits what arrives in a folder, when it is complete. docs/reference/378_jobs.md has the forms.
package jobs
