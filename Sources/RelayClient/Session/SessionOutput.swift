/// Output of a session that waits to be taken.
struct SessionOutput {
  var commands: [SignallingCommand] = []
  var events: [SessionEvent] = []
}
