public import AudioGraph

/// A sink that plays to a loudspeaker or headphones.
public struct DeviceSinkDescription: AudioSinkDescription {
  let deviceID: String
  let options: DeviceOptions
  let host: (any DeviceHost)?

  public func makeSink(in context: PipelineContext) throws -> DeviceSink {
    let (host, id) = try DeviceHosts.find(deviceID, .playout, in: host, context)
    let format = try AudioFormat(sampleRate: context.sampleRate, channelCount: context.channelCount)
    return try DeviceSink(id, host: host, format: format, options: options)
  }
}

extension AudioSinkDescription where Self == DeviceSinkDescription {
  /// A sink that plays through a device, in a live pipeline.
  ///
  /// - Parameters:
  ///   - id: The device: an `id` of `AudioDevices.all()`, or any ALSA PCM name. Without hardware: `null`, or
  ///     `virtual:ppm=200`, which runs faster than the clock.
  ///   - options: Settings.
  public static func device(_ id: String = "default", options: DeviceOptions = DeviceOptions()) -> Self {
    DeviceSinkDescription(deviceID: id, options: options, host: nil)
  }

  /// A sink that plays through a simulated device; with a virtual clock also in an offline pipeline that is stepped.
  public static func device(
    _ id: String = "default", of devices: VirtualDevices, options: DeviceOptions = DeviceOptions()
  ) -> Self {
    DeviceSinkDescription(deviceID: id, options: options, host: devices)
  }
}
