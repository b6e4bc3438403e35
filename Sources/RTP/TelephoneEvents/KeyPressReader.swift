/// Makes key presses of packets: all packets of one have its beginning's timestamp, and its end comes three times.
///
/// Thread: one at a time. Source: RFC 4733, sections 2.5.1.3 and 2.5.1.4.
public struct KeyPressReader: Sendable {
  private struct Pressed {
    var timestamp: UInt32
    var event: TelephoneEvent
    var begin: Int
    var newest: Int
  }

  /// How the stream carries key presses.
  public let format: TelephoneEventFormat
  private var pressed: Pressed?
  /// The timestamp of the newest key that was let go: more packets of it may come.
  private var ended: UInt32?
  /// Key presses that are over and were not taken.
  private var finished: [KeyPress] = []
  /// Without a packet for so long the key was let go, and the packets that say so are lost.
  private static let longestGapNanoseconds = 500_000_000

  /// A reader that no packet has come to.
  public init(_ format: TelephoneEventFormat) { self.format = format }

  /// Takes a packet with this timestamp.
  public mutating func receive(_ event: TelephoneEvent, timestamp: UInt32, nowNanoseconds now: Int) {
    guard timestamp != ended else { return }
    if let pressed, pressed.timestamp != timestamp {
      // A packet that was overtaken by a newer key's.
      guard Int32(bitPattern: timestamp &- pressed.timestamp) > 0 else { return }
      finish()
    }
    var press = pressed ?? Pressed(timestamp: timestamp, event: event, begin: now, newest: now)
    press.newest = now
    if event.duration >= press.event.duration { press.event = event }
    pressed = press
    if event.isEnd { finish() }
  }

  /// Takes the key presses that are over.
  public mutating func take(nowNanoseconds now: Int) -> [KeyPress] {
    if let pressed, now - pressed.newest > Self.longestGapNanoseconds { finish() }
    defer { finished = [] }
    return finished
  }

  /// Takes all key presses, as the stream has ended.
  public mutating func takeAll() -> [KeyPress] {
    finish()
    defer { finished = [] }
    return finished
  }

  private mutating func finish() {
    guard let press = pressed else { return }
    let clockRate = max(1, format.clockRate)
    pressed = nil
    ended = press.timestamp
    guard let digit = press.event.digit else { return }
    finished.append(
      KeyPress(
        digit: digit, nanoseconds: press.begin,
        durationMilliseconds: (Int(press.event.duration) * 1_000 + clockRate / 2) / clockRate))
  }
}
