//! What can be said of the data before a fit.
