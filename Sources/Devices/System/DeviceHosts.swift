import AudioGraph

/// Finds the system of devices that a source or a sink belongs to.
enum DeviceHosts {
  /// Returns the system of a device, and the device's name there: the given system, one with a named device, or ALSA.
  ///
  /// - Throws: `.invalidArgument` for a device that runs by a real clock in a pipeline that does not.
  static func find(
    _ id: String, _ direction: AudioDirection, in given: (any DeviceHost)?, _ context: PipelineContext
  ) throws -> (host: any DeviceHost, id: String) {
    if let given, given.isSimulated || !context.isOffline { return (given, id) }
    guard given == nil, !context.isOffline else {
      throw EngineError(
        .invalidArgument, "a sound device needs a live pipeline; make it with mode: .live, and call start()")
    }
    if let named = try NamedDevice(id) { return (try named.makeHost(direction), named.id) }
    return (ALSAHost.shared, id)
  }
}
