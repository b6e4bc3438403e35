/// Settings of the next calls.
public struct PrepareConfig: Hashable, Sendable {
  /// Room of the next outgoing call: the name of a channel. Choose a fresh one for each call: users that were
  /// called before know the old one.
  public var roomID: String
  /// Token of the local user for any channel (`*`), since the room of an incoming call is the caller's choice. Empty at
  /// a relay that allows the app id alone.
  public var rtcToken: String
  /// Longest time of ringing, in ms; 0: the application ends it.
  public var callTimeoutMilliseconds: Int
  /// Text for the other user, at most 4 KiB: the callee finds it as `eventInfo["fromUserExtension"]`.
  public var userExtension: String?

  /// Longest extension, in bytes of UTF-8.
  public static let largestExtensionByteCount = 4_096

  /// Creates settings from their parts.
  public init(
    roomID: String, rtcToken: String, callTimeoutMilliseconds: Int = 15_000, userExtension: String? = nil
  ) {
    self.roomID = roomID
    self.rtcToken = rtcToken
    self.callTimeoutMilliseconds = callTimeoutMilliseconds
    self.userExtension = userExtension
  }

  /// Checks all values.
  ///
  /// - Throws: The fault and its remedy.
  func check() throws(CallError) {
    guard ChannelName(roomID) != nil else {
      throw CallError(.invalidArgument, "a room's name has \(ChannelName.rule); \(ChannelName.fault(in: roomID))")
    }
    guard (0...3_600_000).contains(callTimeoutMilliseconds) else {
      throw CallError(.invalidArgument, "the time of ringing is 0 to 3600000 ms; choose another")
    }
    try Self.check(userExtension, "userExtension")
  }

  /// Checks the length of an extension.
  static func check(_ text: String?, _ name: String) throws(CallError) {
    guard let text, text.utf8.count > largestExtensionByteCount else { return }
    throw CallError(
      .invalidArgument, "\(name) has \(text.utf8.count) bytes; it may have \(largestExtensionByteCount)")
  }
}
