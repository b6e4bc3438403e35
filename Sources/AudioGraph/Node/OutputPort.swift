/// A port through which frames leave a node. Any number of connections may start there.
public struct OutputPort: Hashable, Sendable {
  /// Name of the port in errors.
  public let name: String
  /// Channels of the frames.
  public let channelCount: Int

  /// Creates a port that gives frames of `channelCount` channels.
  public init(_ name: String = "out", channelCount: Int) {
    self.name = name
    self.channelCount = channelCount
  }
}
