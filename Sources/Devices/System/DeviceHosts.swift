import AudioGraph

/// Finds the system of devices that a source or a sink belongs to.
enum DeviceHosts {
  /// Returns the given system, or ALSA.
  ///
  /// - Throws: `.invalidArgument` for a device that runs by a real clock in a pipeline that does not.
  static func host(_ given: (any DeviceHost)?, in context: PipelineContext) throws -> any DeviceHost {
    let host = given ?? ALSAHost.shared
    guard host.isSimulated || !context.isOffline else {
      throw EngineError(
        .invalidArgument, "a sound device needs a live pipeline; make it with mode: .live, and call start()")
    }
    return host
  }
}
