// Package pgserver runs PostgreSQL servers for tests and trials: a primary, its standbys, and faults of
// both.
//
// Each server is a new cluster in a temporary folder, reachable only by loopback and with a password of its
// own. The server ends, and its folder is removed, by Close or when the process that started it ends,
// however it ends.
package pgserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Server is a PostgreSQL server.
type Server struct {
	Port int

	folder   string
	programs string
	password string
	owner    *syscall.Credential // nil: this user
	guard    *exec.Cmd           // of the running server
	alive    io.Closer           // closing it makes the guard end the server
}

// startLimit is how long a server may take to start, to stop, or to be promoted.
const startLimit = 60 * time.Second

// New creates a server and starts it. If durable is false, its data is in memory if there is enough, and it
// does not wait for the disk. Settings are lines of postgresql.conf.
func New(ctx context.Context, durable bool, settings ...string) (*Server, error) {
	s := &Server{password: rand.Text()}
	var err error
	if s.programs, err = findPrograms(); err != nil {
		return nil, err
	}
	if s.owner, err = owner(); err != nil {
		return nil, err
	}
	if err := s.makeFolder(durable); err != nil {
		return nil, err
	}
	secret := filepath.Join(s.folder, "password")
	if err := errors.Join(os.WriteFile(secret, []byte(s.password), 0o600), s.Give(secret)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.run(ctx, "initdb", "-D", s.data(), "-U", "postgres", "--pwfile="+secret, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	settings = append([]string{"max_connections = 200", "wal_keep_size = '256MB'",
		"wal_receiver_status_interval = '1s'"}, settings...)
	if !durable {
		settings = append(settings, "fsync = off", "full_page_writes = off")
	}
	if err := s.configure(settings...); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.Start(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Standby creates a standby that follows the server by streaming, and starts it.
func (s *Server) Standby(ctx context.Context) (*Server, error) {
	standby := &Server{password: s.password, programs: s.programs, owner: s.owner}
	if err := standby.makeFolder(!strings.HasPrefix(s.folder, memory)); err != nil {
		return nil, err
	}
	if err := standby.run(ctx, "pg_basebackup", "-D", standby.data(),
		"-d", s.URL("postgres"), "-R", "-c", "fast", "--no-sync"); err != nil {
		return nil, errors.Join(err, standby.Close())
	}
	if err := standby.Start(ctx); err != nil {
		return nil, errors.Join(err, standby.Close())
	}
	return standby, nil
}

// Restored starts a server with the data that restore puts into an empty folder, such as a backup, and waits
// until it accepts changes. Settings for its recovery are lines of postgresql.conf.
func (s *Server) Restored(ctx context.Context, restore func(data string) error, settings ...string) (*Server, error) {
	restored := &Server{password: s.password, programs: s.programs, owner: s.owner}
	if err := restored.makeFolder(!strings.HasPrefix(s.folder, memory)); err != nil {
		return nil, err
	}
	err := errors.Join(os.Mkdir(restored.data(), 0o700), s.Give(restored.data()))
	if err == nil {
		err = restore(restored.data())
	}
	if err == nil && len(settings) > 0 {
		err = restored.configure(settings...)
	}
	if err == nil {
		err = restored.Start(ctx)
	}
	if err == nil {
		err = restored.recovered(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, errors.New(restored.log()), restored.Close())
	}
	return restored, nil
}

// recovered waits for the end of a recovery. Promoting the server would end it too early.
func (s *Server) recovered(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, startLimit)
	defer stop()
	for {
		said, err := s.command(ctx, "psql", "-XAt", "-c", "SELECT pg_is_in_recovery()", s.URL("postgres")).Output()
		if err == nil && string(said) == "f\n" {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the recovery does not end: %w: %s", ctx.Err(), said)
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// Program prepares one of PostgreSQL's programs, by its name, or any other program by its path, to run as
// the user who owns the server.
func (s *Server) Program(ctx context.Context, program string, args ...string) *exec.Cmd {
	if !strings.Contains(program, "/") {
		return s.command(ctx, program, args...)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = s.folder
	s.AsOwner(cmd)
	return cmd
}

// URL returns the URL of a database of the server.
func (s *Server) URL(database string) string { return s.URLAt(s.Addr(), database) }

// URLAt returns the URL of a database of the server, or of its standbys, at other addresses: host:port, or
// several separated by commas.
func (s *Server) URLAt(hosts, database string) string {
	return "postgres://postgres:" + s.password + "@" + hosts + "/" + database + "?sslmode=disable"
}

// Password returns the password of the user postgres, in letters and digits.
func (s *Server) Password() string { return s.password }

// AsOwner makes a command run as the user who owns the server, if that is another user.
func (s *Server) AsOwner(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner} }

// Give changes the owner of a file to the owner of the server.
func (s *Server) Give(file string) error {
	if s.owner == nil {
		return nil
	}
	return os.Chown(file, int(s.owner.Uid), int(s.owner.Gid))
}

// Addr returns the server's host:port.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)) }

// Start starts a stopped server, on the same port as before.
func (s *Server) Start(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, startLimit)
	defer stop()
	for range 8 { // the chosen port may be taken before the server starts
		again := s.Port != 0
		if !again {
			var err error
			if s.Port, err = freePort(); err != nil {
				return err
			}
		}
		err := s.startOnce(ctx)
		if err == nil || again || ctx.Err() != nil {
			return err
		}
		s.Port = 0
	}
	return fmt.Errorf("no server of PostgreSQL starts: %s", s.log())
}

// guarded runs a server until it is asked to stop, or standard input ends, for example with this process.
// Then it ends the remaining processes and removes the folder.
const guarded = `"$@" & server=$!
read -r word
if [ "$word" != keep ]; then kill -QUIT $server 2>/dev/null; fi
wait $server
if [ "$word" = "" ]; then rm -rf "$FOLDER"; fi`

func (s *Server) startOnce(ctx context.Context) error {
	guard := exec.Command("sh", "-c", guarded, "sh", filepath.Join(s.programs, "postgres"), "-D", s.data(),
		"-p", strconv.Itoa(s.Port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+s.folder)
	guard.Env = append(os.Environ(), "FOLDER="+s.folder)
	guard.Dir = s.folder
	guard.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner, Setpgid: true} // an interrupt ends only this process
	log, err := os.OpenFile(s.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	guard.Stdout, guard.Stderr = log, log
	alive, err := guard.StdinPipe()
	if err != nil {
		return err
	}
	if err := guard.Start(); err != nil {
		return err
	}
	s.guard, s.alive = guard, alive
	for {
		if s.answers(ctx) {
			return nil
		}
		if pid, err := s.pid(); err == nil && syscall.Kill(pid, 0) != nil || ctx.Err() != nil {
			s.Kill()
			return fmt.Errorf("a server of PostgreSQL does not start: %w: %s", ctx.Err(), s.log())
		}
		pause(ctx, 20*time.Millisecond)
	}
}

func (s *Server) answers(ctx context.Context) bool {
	return s.command(ctx, "pg_isready", "-q", "-h", "127.0.0.1", "-p", strconv.Itoa(s.Port)).Run() == nil
}

// Promote promotes a standby to primary, and returns when it accepts changes.
func (s *Server) Promote(ctx context.Context) error {
	return s.run(ctx, "pg_ctl", "promote", "-D", s.data(), "-w", "-t", "60")
}

// Kill kills all processes of the server, like a power cut. Its folder stays.
func (s *Server) Kill() {
	if s.guard == nil {
		return
	}
	if pid, err := s.pid(); err == nil {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // so that it starts no other processes meanwhile
		for _, one := range append(childrenOf(pid), pid) {
			_ = syscall.Kill(one, syscall.SIGKILL)
		}
	}
	s.end("stop")
	_ = os.Remove(filepath.Join(s.data(), "postmaster.pid")) // the process that it names has ended
}

// Close ends the server and removes its folder.
func (s *Server) Close() error {
	s.end("stop")
	return os.RemoveAll(s.folder)
}

// end sends the guard a command and waits until it ends.
func (s *Server) end(word string) {
	if s.guard == nil {
		return
	}
	_, _ = io.WriteString(s.alive.(io.Writer), word+"\n") // fails if the guard has ended
	_ = s.guard.Wait()
	s.guard = nil
}

func (s *Server) data() string    { return filepath.Join(s.folder, "data") }
func (s *Server) logFile() string { return filepath.Join(s.folder, "log") }

// Folder returns the folder of the server's data.
func (s *Server) Folder() string { return s.data() }

// log returns the end of the server's log.
func (s *Server) log() string {
	said, _ := os.ReadFile(s.logFile()) // a missing file yields no lines
	return string(said[max(0, len(said)-2000):])
}

func (s *Server) pid() (int, error) {
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(first)
}

func (s *Server) configure(settings ...string) error {
	file, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, strings.Join(settings, "\n"))
	return errors.Join(err, file.Close())
}

const memory = "/dev/shm"

func (s *Server) makeFolder(durable bool) (err error) {
	var room syscall.Statfs_t
	in := os.TempDir()
	if !durable && syscall.Statfs(memory, &room) == nil && room.Bavail*uint64(room.Bsize) > 1<<30 {
		in = memory
	}
	if s.folder, err = os.MkdirTemp(in, "pgserver-*"); err != nil {
		return err
	}
	return s.Give(s.folder)
}

func (s *Server) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.programs, program), args...)
	cmd.Dir = s.folder
	s.AsOwner(cmd)
	return cmd
}

// run runs one of PostgreSQL's programs to its end.
func (s *Server) run(ctx context.Context, program string, args ...string) error {
	ctx, stop := context.WithTimeout(ctx, startLimit)
	defer stop()
	if said, err := s.command(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(string(said)))
	}
	return nil
}

// findPrograms finds the folder of the newest programs of the server.
func findPrograms() (string, error) {
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // a fixed pattern
	slices.SortFunc(folders, func(a, b string) int { return versionOf(b) - versionOf(a) })
	if found, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(found); err == nil {
			folders = slices.Insert(folders, 0, filepath.Dir(real))
		}
	}
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "pg_basebackup")); err == nil {
			return folder, nil
		}
	}
	return "", errors.New("no PostgreSQL server is installed here (Debian: apt-get install postgresql)")
}

func versionOf(folder string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder))) // 0 for a name that is not a version
	return n
}

// owner returns the user to run the server as: PostgreSQL refuses to run as root.
func owner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// childrenOf returns the child processes of a process.
func childrenOf(pid int) (children []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // a fixed pattern
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil { // it has ended
			continue
		}
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			children = append(children, child)
		}
	}
	return children
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
