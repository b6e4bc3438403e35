import NetworkIO
import Signalling

/// Output of a session that waits to be taken.
struct SessionOutput {
  var commands: [SignallingCommand] = []
  var events: [SessionEvent] = []
  /// Requests of the program that wait for their turn.
  var held: [ClientMessage] = []
  /// Rate of those requests.
  var pace = RateLimit(perSecond: 100, burst: 50)
}
