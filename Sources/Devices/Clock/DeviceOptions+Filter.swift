import Resampling

extension DeviceOptions.Quality {
  /// Filter of the conversion.
  var filter: SincQuality {
    switch self {
    case .fast: .fast
    case .high: .high
    }
  }
}
