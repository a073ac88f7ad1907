package rest

import "net/http"

// Route is one documented route: method and path below /api/v1, the operation of operations.graphql that
// answers it, and the status of success. A variable of the operation takes its value from the path, else from
// the query string or, where the method has a body, from the body's member of its name; $input takes the
// whole body.
type Route struct {
	Method, Path string
	Operation    string
	Status       int
}

// Routes are the documented routes, in the order of contract 7.
var Routes = []Route{
	// Contract 7.1: Tenant and homepage
	{"GET", "/tenants/{domain}", "Tenant", http.StatusOK},
	{"GET", "/tenants/{domain}/website/business-info", "BusinessInfo", http.StatusOK},
	{"GET", "/tenants/{domain}/website/sliders", "Sliders", http.StatusOK},
	{"GET", "/tenants/{domain}/website/category-groups", "CategoryGroups", http.StatusOK},
	{"GET", "/tenants/{domain}/website/brand-groups", "BrandGroups", http.StatusOK},
	{"GET", "/tenants/{domain}/store-specials", "StoreSpecials", http.StatusOK},

	// Contract 7.2: Catalog
	{"GET", "/tenants/{domain}/categories", "Categories", http.StatusOK},
	{"GET", "/tenants/{domain}/products", "Products", http.StatusOK},
	{"GET", "/tenants/{domain}/products/{slug}", "Product", http.StatusOK},
	{"GET", "/tenants/{domain}/products/{slug}/variations", "ProductVariations", http.StatusOK},
	{"GET", "/tenants/{domain}/products/{slug}/technical-info", "ProductTechnicalInfo", http.StatusOK},
	{"GET", "/tenants/{domain}/user-products", "UserProducts", http.StatusOK},
	{"GET", "/tenants/{domain}/user-products/{slug}", "UserProduct", http.StatusOK},
	{"GET", "/tenants/{domain}/user-products/{slug}/technical-info", "UserProductTechnicalInfo", http.StatusOK},
	{"GET", "/tenants/{domain}/store-items", "StoreItems", http.StatusOK},
	{"GET", "/tenants/{domain}/store-items/by-product/{productId}", "StoreItem", http.StatusOK},
	{"GET", "/tenants/{domain}/store-items/{variantId}", "StoreVariant", http.StatusOK},
	{"GET", "/tenants/{domain}/blogs", "Blogs", http.StatusOK},
	{"GET", "/tenants/{domain}/blogs/{slug}", "Blog", http.StatusOK},
	{"GET", "/tenants/{domain}/portfolios", "Portfolios", http.StatusOK},
	{"GET", "/tenants/{domain}/portfolios/{slug}", "Portfolio", http.StatusOK},

	// Contract 7.3: Comments, reviews, contact
	{"GET", "/tenants/{domain}/blogs/{blogId}/comments", "BlogComments", http.StatusOK},
	{"POST", "/tenants/{domain}/blogs/{blogId}/comments", "CreateBlogComment", http.StatusCreated},
	{"GET", "/tenants/{domain}/portfolios/{portfolioId}/comments", "PortfolioComments", http.StatusOK},
	{"POST", "/tenants/{domain}/portfolios/{portfolioId}/comments", "CreatePortfolioComment", http.StatusCreated},
	{"GET", "/tenants/{domain}/comments", "Comments", http.StatusOK},
	{"POST", "/tenants/{domain}/comments", "CreateComment", http.StatusCreated},
	{"GET", "/tenants/{domain}/expert-reviews", "ExpertReviews", http.StatusOK},
	{"POST", "/tenants/{domain}/expert-reviews", "CreateExpertReview", http.StatusCreated},
	{"POST", "/tenants/{domain}/contact-submissions", "SubmitContact", http.StatusCreated},

	// Contract 7.4: Auth
	{"POST", "/auth/register", "Register", http.StatusCreated},
	{"POST", "/auth/login", "Login", http.StatusOK},
	{"POST", "/auth/login-otp", "LoginOtp", http.StatusOK},
	{"POST", "/auth/reset-password", "ResetPassword", http.StatusOK},
	{"POST", "/auth/refresh", "RefreshTokens", http.StatusOK},
	{"GET", "/auth/me", "Me", http.StatusOK},
	{"PATCH", "/auth/profile", "UpdateProfile", http.StatusOK},
	{"POST", "/auth/change-password", "ChangePassword", http.StatusOK},
	{"POST", "/auth/send-otp", "SendOtp", http.StatusOK},
	{"POST", "/auth/verify-otp", "VerifyOtp", http.StatusOK},

	// Contract 7.5: Addresses
	{"GET", "/auth/addresses", "Addresses", http.StatusOK},
	{"POST", "/auth/addresses", "CreateAddress", http.StatusCreated},
	{"PATCH", "/auth/addresses/{addressId}", "UpdateAddress", http.StatusOK},
	{"DELETE", "/auth/addresses/{addressId}", "DeleteAddress", http.StatusOK},

	// Contract 7.6: Locations
	{"GET", "/cities", "Cities", http.StatusOK},
	{"GET", "/cities/{cityId}", "City", http.StatusOK},

	// Contract 7.7: Cart, checkout, orders, favorites
	{"GET", "/businesses/{businessId}/cart", "Cart", http.StatusOK},
	{"DELETE", "/businesses/{businessId}/cart", "ClearCart", http.StatusOK},
	{"POST", "/businesses/{businessId}/cart/items", "AddCartItem", http.StatusCreated},
	{"PATCH", "/businesses/{businessId}/cart/items/{itemId}", "UpdateCartItem", http.StatusOK},
	{"DELETE", "/businesses/{businessId}/cart/items/{itemId}", "RemoveCartItem", http.StatusOK},
	{"POST", "/businesses/{businessId}/cart/checkout", "Checkout", http.StatusCreated},
	{"GET", "/businesses/{businessId}/orders", "Orders", http.StatusOK},
	{"GET", "/businesses/{businessId}/orders/{orderId}", "Order", http.StatusOK},
	{"GET", "/businesses/{businessId}/favorites", "Favorites", http.StatusOK},
	{"POST", "/businesses/{businessId}/favorites", "AddFavorite", http.StatusCreated},
	{"DELETE", "/businesses/{businessId}/favorites/{productId}", "RemoveFavorite", http.StatusOK},

	// Contract 7.8: Partner SMS
	{"POST", "/public/sms/send", "SendPartnerSms", http.StatusOK},
}
