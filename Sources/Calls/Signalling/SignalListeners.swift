/// Listeners of a client, which it does not retain. Thread: any.
package final class SignalListeners: Sendable {
  private let list = WeakList<any SignalListener>()

  package init() {}

  package func add(_ listener: any SignalListener) { list.add(listener) }

  package func remove(_ listener: any SignalListener) { list.remove(listener) }

  package func removeAll() { list.removeAll() }

  package func receive(_ message: String, from userID: String) {
    for listener in list.all { listener.onMessageReceive(message, from: userID) }
  }

  package func log(_ line: String, _ level: CallLogLevel = .normal) {
    for listener in list.all { listener.debugInfo(line, level: level) }
  }
}
