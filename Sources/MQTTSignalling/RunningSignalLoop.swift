import Calls
import Platform

/// Thread of a started client.
final class RunningSignalLoop: Sendable {
  let mailbox: SignalMailbox
  private let thread: BackgroundThread
  private let hasJoined = Guarded(false)

  /// Starts the thread.
  ///
  /// - Throws: An `EngineError` if the system lacks a thread, descriptors or memory.
  init(options: MQTTSignalOptions, listeners: SignalListeners) throws(EngineError) {
    let mailbox = SignalMailbox()
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    let clientID = "audiopipe-\(options.userID)-\(number)"
    self.mailbox = mailbox
    do throws(ThreadError) {
      thread = try BackgroundThread(named: "mqtt-\(options.userID)") {
        SignalLoop.run(options: options, clientID: clientID, mailbox: mailbox, listeners: listeners)
      }
    } catch {
      throw EngineError(.general, error.description, cause: error)
    }
  }

  /// Ends the thread and waits for its end. On the thread itself it does not wait.
  func stop() {
    mailbox.stop()
    guard !thread.isCurrent else { return }
    hasJoined.withLock { hasJoined in
      if !hasJoined { thread.join() }
      hasJoined = true
    }
  }

  deinit {
    // The last reference may end on the thread itself, which cannot join itself.
    let hasJoined = hasJoined.withLock { $0 }
    if !hasJoined { thread.detach() }
  }
}
