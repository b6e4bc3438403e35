/// A sound device in one direction, as a list of devices shows it.
public struct AudioDevice: Hashable, Sendable, Identifiable {
  /// Name that opens the device, such as `hw:CARD=PCH,DEV=0` or `default`.
  public let id: String
  /// Name to show.
  public let name: String
  /// Direction of the sound.
  public let direction: AudioDirection
  /// Rates that the device offers without conversion, in Hz; nil if the device could not be asked.
  public let sampleRates: ClosedRange<Int>?
  /// Counts of channels that the device offers without conversion; nil if the device could not be asked.
  public let channelCounts: ClosedRange<Int>?
  /// Whether this is the device of programs that name none.
  public let isDefault: Bool
  /// Whether this is a plugin that converts or shares the sound of another device of the list.
  public let isConverter: Bool

  /// Creates an entry of a list.
  public init(
    id: String, name: String, direction: AudioDirection, sampleRates: ClosedRange<Int>? = nil,
    channelCounts: ClosedRange<Int>? = nil, isDefault: Bool = false, isConverter: Bool = false
  ) {
    self.id = id
    self.name = name
    self.direction = direction
    self.sampleRates = sampleRates
    self.channelCounts = channelCounts
    self.isDefault = isDefault
    self.isConverter = isConverter
  }
}
