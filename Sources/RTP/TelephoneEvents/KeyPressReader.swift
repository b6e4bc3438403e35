/// Reads key presses from packets. All packets of a press have the timestamp of its beginning, and its end is sent
/// three times.
///
/// Thread: one at a time. Source: RFC 4733, sections 2.5.1.3 and 2.5.1.4.
public struct KeyPressReader: Sendable {
  private struct Pressed {
    var timestamp: UInt32
    var event: TelephoneEvent
    var begin: Int
    var newest: Int
    /// Duration of the press in the packets' earlier segments, in units of the timestamp.
    var earlierDuration = 0

    /// Returns whether a packet with another timestamp belongs to the same press. Durations have 16 bits, so a longer
    /// press has several segments, each beginning at the end of the one before.
    func goesOn(in next: TelephoneEvent, timestamp next32: UInt32) -> Bool {
      let step = Int(Int32(bitPattern: next32 &- timestamp))
      return next.event == event.event && !event.isEnd && step > 0 && step <= Int(UInt16.max)
        && step >= Int(event.duration) && Int(event.duration) > Int(UInt16.max) - 4_800
    }
  }

  /// Format of the stream's key presses.
  public let format: TelephoneEventFormat
  private var pressed: Pressed?
  /// Timestamp of the newest released key, of which more packets may come; nil before the first.
  private var ended: UInt32?
  /// Finished key presses that have not been taken.
  private var finished: [KeyPress] = []
  /// Time without a packet after which the key counts as released, because the packets of its end are lost.
  private static let longestGapNanoseconds = 500_000_000

  /// Creates a reader before the first packet.
  public init(_ format: TelephoneEventFormat) { self.format = format }

  /// Takes a packet with a timestamp.
  public mutating func receive(_ event: TelephoneEvent, timestamp: UInt32, nowNanoseconds now: Int) {
    guard timestamp != ended else { return }
    if let pressed, pressed.timestamp != timestamp {
      // A packet that was overtaken by a newer key's.
      guard Int32(bitPattern: timestamp &- pressed.timestamp) > 0 else { return }
      if pressed.goesOn(in: event, timestamp: timestamp) {
        let step = Int(timestamp &- pressed.timestamp)
        self.pressed = Pressed(
          timestamp: timestamp, event: event, begin: pressed.begin, newest: now,
          earlierDuration: pressed.earlierDuration + step)
      } else {
        finish()
      }
    }
    var press = pressed ?? Pressed(timestamp: timestamp, event: event, begin: now, newest: now)
    press.newest = now
    if event.duration >= press.event.duration { press.event = event }
    pressed = press
    if event.isEnd { finish() }
  }

  /// Takes an RTP packet; one of another payload type changes nothing.
  ///
  /// - Parameters:
  ///   - packet: bytes of the packet.
  ///   - now: time of arrival, in nanoseconds.
  public mutating func receive(packet: UnsafeRawBufferPointer, nowNanoseconds now: Int) {
    guard let view = try? RTPPacketView(parsing: packet), view.header.payloadType == format.payloadType else { return }
    let payload = packet[view.payloadOffset..<view.payloadOffset + view.payloadByteCount]
    guard let event = TelephoneEvent(parsing: UnsafeRawBufferPointer(rebasing: payload)) else { return }
    receive(event, timestamp: view.header.timestamp, nowNanoseconds: now)
  }

  /// Returns the finished key presses, once.
  public mutating func take(nowNanoseconds now: Int) -> [KeyPress] {
    if let pressed, now - pressed.newest > Self.longestGapNanoseconds { finish() }
    defer { finished = [] }
    return finished
  }

  /// Returns all key presses at the end of the stream, once.
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
        durationMilliseconds: ((press.earlierDuration + Int(press.event.duration)) * 1_000 + clockRate / 2) / clockRate)
    )
  }
}
