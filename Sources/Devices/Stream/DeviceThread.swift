import CPlatform
import Glibc
package import Platform
import Synchronization

/// Thread of one stream: moves samples at every wake-up of the device.
///
/// Its priority is just above that of the audio thread, to which it brings samples. A user without the right to a
/// real-time priority gets it from RealtimeKit, if that runs.
package final class DeviceThread: RunningStream {
  private final class State: Sendable {
    let isEnding = Atomic(false)
    let isEnded = Atomic(false)
  }

  /// Steps above the lowest real-time priority; the audio thread has 9.
  static let priority = 10

  private let state = State()
  private let thread: BackgroundThread

  /// Starts the thread at once.
  ///
  /// - Throws: `ThreadError` if the system gives no thread.
  package init(_ stream: any ServicedStream, named name: String) throws(ThreadError) {
    let state = state
    thread = try BackgroundThread(named: name) {
      _ = cplatform_flush_denormals()
      Self.askForPriority()
      // Pairs with the store of `end`.
      while !state.isEnding.load(ordering: .acquiring) {
        stream.service()
        stream.wait()
      }
    }
  }

  /// Ends the run and waits for the last wake-up. Later calls have no effect.
  package func end() {
    state.isEnding.store(true, ordering: .releasing)
    if !state.isEnded.exchange(true, ordering: .acquiringAndReleasing) { thread.join() }
  }

  private static func askForPriority() {
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_FIFO) + Int32(priority)
    if pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0 { return }
    _ = RealtimeKit.raisePriority(to: UInt32(priority))
  }
}
