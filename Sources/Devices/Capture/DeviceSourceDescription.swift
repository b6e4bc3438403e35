public import AudioGraph

/// A user with the sound of a microphone or a line input.
public struct DeviceSourceDescription: AudioSourceDescription {
  let deviceID: String
  let channelCount: Int
  let options: DeviceOptions
  let host: (any DeviceHost)?

  public func makeSource(uid: UInt32, in context: PipelineContext) throws -> DeviceSource {
    let (host, id) = try DeviceHosts.find(deviceID, .capture, in: host, context)
    let format = try AudioFormat(sampleRate: context.sampleRate, channelCount: channelCount)
    return try DeviceSource(id, host: host, format: format, options: options, sourceID: uid)
  }
}

extension AudioSourceDescription where Self == DeviceSourceDescription {
  /// A source of a device's samples, in a live pipeline.
  ///
  /// - Parameters:
  ///   - id: The device: an `id` of `AudioDevices.all()`, or any ALSA PCM name. Without hardware: `null` is silent,
  ///     `virtual:tone=440:ppm=200` hears a tone, and `file:talk.wav` a file.
  ///   - channelCount: Channels of the frames, 1 to 8; a device with others is mapped.
  ///   - options: Settings.
  public static func device(
    _ id: String = "default", channelCount: Int = 1, options: DeviceOptions = DeviceOptions()
  ) -> Self {
    DeviceSourceDescription(deviceID: id, channelCount: channelCount, options: options, host: nil)
  }

  /// A source of a simulated device's samples; with a virtual clock also in an offline pipeline that is stepped.
  public static func device(
    _ id: String = "default", of devices: VirtualDevices, channelCount: Int = 1,
    options: DeviceOptions = DeviceOptions()
  ) -> Self {
    DeviceSourceDescription(deviceID: id, channelCount: channelCount, options: options, host: devices)
  }
}
