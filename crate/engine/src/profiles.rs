//! Profiles: those that ship, and files of one's own.

use answer::Profile;

use crate::error::{Code, Error};
use crate::reply::ProfileInfo;

/// Profiles that ship, the default first.
pub fn shipped_profiles() -> Vec<ProfileInfo> {
    let info = |name| Some(ProfileInfo::of(&Profile::named(name)?, Profile::file(name)?));
    Profile::names().filter_map(info).collect()
}

/// Reads a profile from TOML.
///
/// # Errors
/// [`Code::ProfileInvalid`] with the position of the fault.
pub fn read_profile(file: &str) -> Result<(Profile, ProfileInfo), Error> {
    let profile = Profile::from_toml(file).map_err(|error| {
        Error::because(Code::ProfileInvalid, "correct the file, or choose another profile", error)
    })?;
    let info = ProfileInfo::of(&profile, file);
    Ok((profile, info))
}
